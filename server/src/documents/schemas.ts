/** The schemas of the document routes. */
import { COLLECTION_IDS, COLLECTIONS, DATABASE_ID } from '@stint/core/collections.ts'
import type { Attribute, CollectionId } from '@stint/core/collections.ts'
import { Type } from 'typebox'
import type { TProperties, TSchema } from 'typebox'
import { ApiError, apiError, description } from '#errors.ts'
import { answer, instant, jsonText } from '#http/answers.ts'
import { customId, optional, pathId } from '#http/params.ts'
import type { Refusal } from '#http/params.ts'
import { isPlainObject, parsedJson } from '#json.ts'
import { permissionList } from './permissions.ts'

/** How many documents one call may create or change. */
const MAX_PUT_DOCUMENTS = 500

/** A path that names a collection of Stint's own database. */
export const OWN_COLLECTION_PATH = Type.Object({ collectionId: Type.String() })

/** A path that names a collection. */
export const COLLECTION_PATH = Type.Object({
  databaseId: Type.String(),
  ...OWN_COLLECTION_PATH.properties,
})

/** A path that names a document. */
export const DOCUMENT_PATH = Type.Object({ ...COLLECTION_PATH.properties, documentId: pathId })

/** A path that names an attribute of a document. */
export const ATTRIBUTE_PATH = Type.Object({ ...DOCUMENT_PATH.properties, attribute: Type.String() })

/** A parameter of the query that may be repeated. */
function inQuery(description: string) {
  const texts = [Type.String(), Type.Array(Type.String())]
  return Type.Optional(Type.Union(texts, { description }))
}

/** The query of a call that returns one document. `queries=` and `queries[0]=` are read as well. */
export const DOCUMENT_QUERY = Type.Object({
  'queries[]': inQuery('JSON text; only `select`'),
})

/** The query of a call that returns a list. */
export const LIST_QUERY = Type.Object({
  'queries[]': inQuery('JSON text each'),
  total: inQuery('`false`: not counted'),
})

/** The header of a change that is refused when the document changed after an instant. */
export const CHANGE_HEADERS = Type.Object({
  'X-Appwrite-Timestamp': Type.Optional(Type.String({ description: 'an instant' })),
})

/** Attributes as clients send them: an object, or JSON text of one. */
type SentData = Record<string, unknown> | string

const NO_OBJECT = description('json_object')

function sentData(refusal: Refusal, fits: (data: SentData) => boolean) {
  const object = Type.Unsafe<Record<string, unknown>>(Type.Object({}))
  const options = { description: 'attributes of the collection; also as JSON text', refusal }
  return Type.Refine(Type.Union([object, Type.String()], options), fits)
}

const changedData = sentData(
  NO_OBJECT,
  (data) => typeof data !== 'string' || parsedData(data) !== null,
)

const newData = sentData(
  (value) => {
    const data = typeof value === 'string' ? parsedData(value) : (value ?? {})
    return isPlainObject(data) && isEmpty(data) ? new ApiError('document_missing_data') : NO_OBJECT
  },
  (data) => !isEmpty(readData(data)),
)

/** Returns the attributes that were sent. */
export function readData(data: SentData | null | undefined): Record<string, unknown> {
  return (typeof data === 'string' ? parsedData(data) : data) ?? {}
}

function parsedData(text: string): Record<string, unknown> | null {
  const data = parsedJson(text)
  return isPlainObject(data) ? data : null
}

export function isEmpty(data: Record<string, unknown>): boolean {
  return Object.keys(data).length === 0
}

/** The body that creates a document. */
export const NEW_DOCUMENT = Type.Object({
  data: newData,
  documentId: Type.With(customId, {
    refusal: (value: unknown) =>
      value === undefined || value === null
        ? apiError('document_missing_data.id')
        : description('custom_id'),
  }),
  permissions: permissionList,
})

/** The body that changes a document. */
export const CHANGE = Type.Object({ data: optional(changedData), permissions: permissionList })

/** The body that creates or changes many documents. */
export const PUT_DOCUMENTS = Type.Object({
  documents: Type.Array(
    Type.Object({
      data: Type.Unsafe<Record<string, unknown>>(
        Type.Object({}, { refusal: () => new ApiError('document_missing_data') }),
      ),
      documentId: customId,
      permissions: permissionList,
      isNew: optional(Type.Boolean({ refusal: description('boolean') })),
      unchangedSince: optionalNumber('epoch milliseconds'),
    }),
    {
      maxItems: MAX_PUT_DOCUMENTS,
      description: `at most ${MAX_PUT_DOCUMENTS} of \`data\`, \`documentId\`, \`permissions?\`, \`isNew?\`, \`unchangedSince?\``,
      refusal: description('documents', { max: MAX_PUT_DOCUMENTS }),
    },
  ),
})

/** The body of an increment or decrement. Only the bound in that direction counts. */
export const STEP = Type.Object({
  value: optional(
    Type.Number({
      exclusiveMinimum: 0,
      description: '1 unless sent',
      refusal: description('positive_number'),
    }),
  ),
  min: optionalNumber('of a difference'),
  max: optionalNumber('of a sum'),
})

function optionalNumber(of: string) {
  return optional(Type.Number({ description: of, refusal: description('number') }))
}

/** A document, complete or with the attributes that `select` names. */
export const DOCUMENT = jsonText(documents((schema) => schema, { title: 'document' }))
const SELECTED = documents(Type.Optional, {
  title: 'selectedDocument',
  description: 'a `document`; of its attributes those that `select` names, all without it',
})
export const SELECTED_DOCUMENT = jsonText(SELECTED)

export const DOCUMENT_LIST = jsonText(
  answer({ total: Type.Integer(), documents: Type.Array(SELECTED) }, 'documentList'),
)
export const WRITTEN_DOCUMENTS = jsonText(answer({ documents: Type.Array(DOCUMENT) }))

/** Returns the schema of a document of any collection, derived from core's description. */
function documents(
  attribute: (schema: TSchema) => TSchema,
  options: { readonly title: string; readonly description?: string },
) {
  return Type.Union(
    COLLECTION_IDS.map((collection) => {
      const attributes: TProperties = {}
      for (const [name, each] of Object.entries<Attribute>(COLLECTIONS[collection])) {
        attributes[name] = attribute(attributeSchema(each))
      }
      return answer(
        { ...systemFields(collection), ...attributes },
        options.title === 'document' ? collection : `${options.title}.${collection}`,
      )
    }),
    options,
  )
}

function systemFields(collection: CollectionId) {
  return {
    $id: Type.String(),
    $sequence: Type.String(),
    $createdAt: instant,
    $updatedAt: instant,
    $permissions: Type.Array(Type.String()),
    $databaseId: Type.Literal(DATABASE_ID),
    $collectionId: Type.Literal(collection),
  }
}

function attributeSchema(attribute: Attribute): TSchema {
  const isNeverNull = attribute.required || ('default' in attribute && attribute.default !== null)
  const schema = valueSchema(attribute)
  return isNeverNull ? schema : Type.Union([schema, Type.Null()])
}

function valueSchema(attribute: Attribute): TSchema {
  switch (attribute.type) {
    case 'string':
      return Type.String({ maxLength: attribute.size })
    case 'datetime':
      return instant
    case 'boolean':
      return Type.Boolean()
    case 'integer':
      return Type.Integer({ minimum: attribute.min, maximum: attribute.max })
    case 'double':
      return Type.Number({ minimum: attribute.min, maximum: attribute.max })
  }
}
