/** Text templates: `{name}` is a placeholder for a value. */

/** The names of a template's placeholders. */
export type BlanksOf<Template extends string> =
  Template extends `${string}{${infer Name}}${infer Rest}` ? Name | BlanksOf<Rest> : never

/** One value for each placeholder of a template. */
export type ValuesOf<Template extends string> = Readonly<
  Record<BlanksOf<Template>, string | number>
>

/** The values as the last parameters of a function: none for a template without placeholders. */
export type FillArguments<Template extends string> = [BlanksOf<Template>] extends [never]
  ? []
  : [values: ValuesOf<Template>]

/** Returns the text with its placeholders filled in. Braces in a value are kept. */
export function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (blank, name: string) => String(values[name] ?? blank))
}
