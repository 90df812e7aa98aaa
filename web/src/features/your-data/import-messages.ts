/** What the page and the worker of an import tell each other. */
import type { CategoryColors } from '@stint/core/record/category.ts'
import type { ImportOptions, RecognisedImport } from '@stint/core/transfer/entry-import.ts'
import type { ImportPlan, PlanContext } from '@stint/core/transfer/import-plan.ts'

/** How the owner of a file wants it to be read. */
export type ImportChoices = Pick<
  ImportOptions,
  | 'format'
  | 'timeZone'
  | 'mapping'
  | 'categoryFrom'
  | 'dateOrder'
  | 'doubledHour'
  | 'repeats'
  | 'likely'
>

export type ToWorker =
  | {
      readonly kind: 'open'
      readonly text: string
      readonly existing: PlanContext['existing']
      /** The colours that were chosen. */
      readonly categoryColors?: CategoryColors
      /** Epoch milliseconds. */
      readonly now: number
      /** The id of the first thing that the import makes: see `import-ids.ts`. */
      readonly firstId: string
    }
  | { readonly kind: 'plan'; readonly job: number; readonly choices: ImportChoices }

export type FromWorker =
  | { readonly kind: 'recognised'; readonly recognised: RecognisedImport }
  | { readonly kind: 'progress'; readonly job: number; readonly progress: number }
  | { readonly kind: 'plan'; readonly job: number; readonly plan: ImportPlan }
