#!/usr/bin/env node
// In the repository the sources run as they are. The packed tarball has them bundled in one file.
import { existsSync } from 'node:fs'

const sources = new URL('../src/main.ts', import.meta.url)
await import(existsSync(sources) ? sources.href : new URL('../dist/main.js', import.meta.url).href)
