import { classNames } from '#ui/class-names.ts'
import { Scroller } from '#ui/scroller.tsx'
import { FigureButton } from './chart-section.tsx'

interface Column {
  name: string
  isFigure: boolean
}

/** A cell of a table: a text, or a figure that shows what is behind it when it is pressed. */
export type TableCell = string | { readonly text: string; readonly onExplain: () => void }

/** A chart's data as a table: text left-aligned, figures right-aligned. */
export function DataTable({
  caption,
  columns,
  rows,
  sum,
}: {
  caption: string
  columns: readonly Column[]
  /** The first cell of each row names it. */
  rows: readonly (readonly TableCell[])[]
  /** The last row, with the sums. */
  sum?: readonly TableCell[]
}) {
  return (
    <Scroller label={caption} className="overflow-x-auto rounded-control">
      <table className="w-full text-start text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line text-xs text-quiet">
            {columns.map(({ name, isFigure }) => (
              <th key={name} scope="col" className={classNames(CELL, isFigure && 'text-end!')}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((cells, index) => (
            // Two rows may have equal cells, so a row has no identity but its place.
            <Row key={index} cells={cells} columns={columns} />
          ))}
        </tbody>
        {sum && (
          <tfoot className="border-t border-line **:font-semibold!">
            <Row cells={sum} columns={columns} />
          </tfoot>
        )}
      </table>
    </Scroller>
  )
}

function Row({ cells, columns }: { cells: readonly TableCell[]; columns: readonly Column[] }) {
  return (
    <tr>
      {cells.map((cell, index) => {
        const Cell = index === 0 ? 'th' : 'td'
        const column = columns[index]
        return (
          <Cell
            key={column?.name}
            scope={index === 0 ? 'row' : undefined}
            dir={index === 0 ? 'auto' : undefined}
            className={classNames(
              CELL,
              column?.isFigure && 'figures text-end! whitespace-nowrap [&>button]:-my-1',
            )}
          >
            {typeof cell === 'string' ? (
              cell
            ) : (
              <FigureButton onExplain={cell.onExplain}>{cell.text}</FigureButton>
            )}
          </Cell>
        )
      })}
    </tr>
  )
}

const CELL = 'py-2 pe-3 md:pe-4 text-start align-top font-normal break-words last:pe-0'
