/**
 * Writes docs/openapi.json and the lists of docs/api.md from the routes, and appwrite.config.json
 * from the collections: `npm run api`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApi } from '@stint/server/http/openapi.ts'
import { createTestApp } from '@stint/testing/test-app.ts'
import { withLists } from './api-lists.ts'
import { appwriteConfig } from './appwrite-config.ts'
import { ROOT, run } from './run.ts'

const DESCRIPTION = join(ROOT, 'docs/openapi.json')
const PAGE = join(ROOT, 'docs/api.md')
const APPWRITE = join(ROOT, 'appwrite.config.json')

const server = await createTestApp()
const { routeTable } = server.app
await server.close()

writeFileSync(DESCRIPTION, JSON.stringify(openApi(routeTable)))
writeFileSync(PAGE, withLists(readFileSync(PAGE, 'utf8'), routeTable))
writeFileSync(APPWRITE, JSON.stringify(appwriteConfig(), null, 2))
process.exitCode = await run('oxfmt', [DESCRIPTION, PAGE, APPWRITE])
