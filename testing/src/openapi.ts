/**
 * Appwrite's description of its client API. `openapi.json` contains the schemas that Stint uses in
 * replies.
 */
import { Ajv } from 'ajv'
import description from './openapi.json' with { type: 'json' }

const ajv = new Ajv({ strict: false, validateFormats: false })
ajv.addSchema(description, 'appwrite')

/** Returns where a value differs from its description; empty if it matches. */
export function problemsOf(schema: string, value: unknown): unknown[] {
  const validate = ajv.compile({ $ref: `appwrite#/components/schemas/${schema}` })
  return validate(value) ? [] : (validate.errors ?? [])
}
