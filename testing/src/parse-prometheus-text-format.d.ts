/** The types of parse-prometheus-text-format; the package has none. */
declare module 'parse-prometheus-text-format' {
  export interface ParsedFamily {
    readonly name: string
    readonly help: string
    readonly type: 'COUNTER' | 'GAUGE' | 'HISTOGRAM' | 'SUMMARY' | 'UNTYPED'
    readonly metrics: readonly {
      readonly labels?: Readonly<Record<string, string>>
      readonly value?: string
      readonly buckets?: Readonly<Record<string, string>>
      readonly count?: string
      readonly sum?: string
    }[]
  }

  export default function parsePrometheusTextFormat(text: string): readonly ParsedFamily[]
}
