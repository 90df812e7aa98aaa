/** Texts with blanks: `{name}` stands for a value that is filled in. */

/** The names of the blanks of a template. */
export type BlanksOf<Template extends string> =
  Template extends `${string}{${infer Name}}${infer Rest}` ? Name | BlanksOf<Rest> : never

/** One value for each blank of a template. */
export type ValuesOf<Template extends string> = Readonly<
  Record<BlanksOf<Template>, string | number>
>

/** The values as the last parameters of a function: none for a template without blanks. */
export type FillArguments<Template extends string> = [BlanksOf<Template>] extends [never]
  ? []
  : [values: ValuesOf<Template>]

/** Returns the text with its blanks filled in. Braces in a value stay as they are. */
export function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (blank, name: string) => String(values[name] ?? blank))
}
