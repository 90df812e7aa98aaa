/** The size of the page, in CSS pixels. */
export interface PageSize {
  readonly width: number
  readonly height: number
}

/** What the walk needs of a browser, whatever protocol drives it. */
export interface Browser {
  /** The engine and its version, such as 'WebKit 2.50'. */
  readonly name: string
  /** Whether it has a window that stays above others, for the floating timer. */
  readonly canFloat: boolean
  open(url: string): Promise<void>
  /** Clicks on the first visible element. Rejects if there is none, or if it cannot be clicked on. */
  click(xpath: string): Promise<void>
  /** Types into the first visible element. Rejects if there is none. */
  type(xpath: string, text: string): Promise<void>
  /** Evaluates an expression in the page. */
  evaluate(expression: string): Promise<unknown>
  close(): Promise<void>
}
