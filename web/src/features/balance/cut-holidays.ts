/**
 * The public holidays of all countries, cut to what a build in one language shows: without the names in other
 * languages where there is one in its own. Rules stay, as some depend on others.
 */

type Fields = Readonly<Record<string, unknown>>

/** Returns the library's module of data, cut for a language. */
export function cutHolidays(code: string, language: string): string {
  const data: unknown = JSON.parse(code.slice(code.indexOf('{'), code.lastIndexOf('}') + 1))
  const { holidays, names, ...rest } = fieldsOf(data) ?? {}
  const cut = {
    ...rest,
    holidays: mapped(holidays, (country) => placeIn(country, language)),
    names: mapped(names, (entry) => ({ ...entry, ...namesIn(entry, 'name', language) })),
  }
  return `export const data = JSON.parse(${JSON.stringify(JSON.stringify(cut))})`
}

/** A country, a state or a region. */
function placeIn(place: Fields, language: string): Fields {
  return {
    ...place,
    ...namesIn(place, 'names', language),
    ...partsIn(place, 'days', (day) => ({ ...day, ...namesIn(day, 'name', language) })),
    ...partsIn(place, 'states', (state) => placeIn(state, language)),
    ...partsIn(place, 'regions', (region) => placeIn(region, language)),
  }
}

function partsIn(place: Fields, name: string, write: (value: Fields) => Fields): Fields {
  return place[name] === undefined ? {} : { [name]: mapped(place[name], write) }
}

/** Keeps the name in the language or else in English; without either all. */
function namesIn(fields: Fields, name: string, language: string): Fields {
  const names = fieldsOf(fields[name])
  const kept = [language, 'en'].find((each) => names?.[each] !== undefined)
  return kept === undefined ? {} : { [name]: { [kept]: names?.[kept] } }
}

function fieldsOf(value: unknown): Fields | null {
  // The edge to the data of a library, which is fields of fields.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return typeof value === 'object' && value !== null ? (value as Fields) : null
}

/** Writes each value anew; what has no fields, as a rule that is switched off, stays. */
function mapped(fields: unknown, write: (value: Fields) => Fields): Fields {
  return Object.fromEntries(
    Object.entries(fieldsOf(fields) ?? {}).map(([name, value]) => {
      const known = fieldsOf(value)
      return [name, known ? write(known) : value]
    }),
  )
}
