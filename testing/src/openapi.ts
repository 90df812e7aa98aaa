/**
 * Appwrite's own description of its client API, of which `openapi.json` holds the schemas
 * that Stint answers with.
 */
import { Ajv } from 'ajv'
import description from './openapi.json' with { type: 'json' }

const ajv = new Ajv({ strict: false, validateFormats: false })
ajv.addSchema(description, 'appwrite')

/** What the description finds wrong with a value; empty when it is as described. */
export function problemsOf(schema: string, value: unknown): unknown[] {
  const validate = ajv.compile({ $ref: `appwrite#/components/schemas/${schema}` })
  return validate(value) ? [] : (validate.errors ?? [])
}
