/** Builds the web app into web/dist. */
import { buildWebApp } from './web-build.ts'

await buildWebApp()
