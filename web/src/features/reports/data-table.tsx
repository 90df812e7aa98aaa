import { classNames } from '#ui/class-names.ts'

/** The figures of a picture as a table: words to the left, figures to the right. */
export function DataTable({
  caption,
  columns,
  rows,
}: {
  caption: string
  columns: readonly { name: string; isFigure: boolean }[]
  /** The first cell of each names it. */
  rows: readonly (readonly string[])[]
}) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-left text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line text-xs text-quiet">
            {columns.map(({ name, isFigure }) => (
              <th key={name} scope="col" className={classNames(CELL, isFigure && FIGURE)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((cells) => (
            <tr key={cells.join(' ')}>
              {cells.map((cell, column) => {
                const Cell = column === 0 ? 'th' : 'td'
                const place = columns[column]
                return (
                  <Cell
                    key={place?.name}
                    scope={column === 0 ? 'row' : undefined}
                    dir={column === 0 ? 'auto' : undefined}
                    className={classNames(CELL, place?.isFigure && FIGURE)}
                  >
                    {cell}
                  </Cell>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const CELL = 'py-2 pr-4 align-top font-normal break-words last:pr-0'
const FIGURE = 'figures text-right whitespace-nowrap'
