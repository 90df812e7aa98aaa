/** What the libraries of public holidays do not describe where their packages say it is. */
declare module 'date-holidays/data' {
  export const data: object
}

declare module 'date-holidays-parser' {
  interface PublicHoliday {
    /** 'YYYY-MM-DD hh:mm:ss' of the place. */
    readonly date: string
    readonly start: Date
    readonly end: Date
    readonly name: string
    readonly type: string
  }
  type Names = Readonly<Record<string, string>>

  export default class Holidays {
    constructor(data: object, country?: string, state?: string, region?: string)
    getHolidays(year: number, language: string): PublicHoliday[]
    getCountries(language?: string): Names
    /** Undefined for a country without states. */
    getStates(country: string, language?: string): Names | undefined
    getRegions(country: string, state: string, language?: string): Names | undefined
  }
}
