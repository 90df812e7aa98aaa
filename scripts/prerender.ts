/**
 * The public pages as whole HTML files: `/`, `/terms` and `/privacy` are there with the first
 * answer, styles and all (docs/decisions/0030-prerendered-pages.md).
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, runnerImport } from 'vite'
import type { Plugin } from 'vite'

import type * as Renderer from '../web/src/public-site/render.tsx'
import type { RenderedPage } from '../web/src/public-site/render.tsx'
import { CSS_TARGET } from '../web/build-targets.ts'
import { ROOT } from './run.ts'

const WEB = join(ROOT, 'web')
const STYLES = join(WEB, 'src/styles.css')
const SCRIPT = join(WEB, 'src/public-site/script.ts')

export interface PrerenderOptions {
  readonly outDir: string
  /** The folder that the app is served from: '/' or '/stint/'. */
  readonly base: string
  /** Where people reach the server, without a trailing slash; null when the build is not told. */
  readonly publicUrl: string | null
  readonly supportEmail: string | null
}

/** Writes the public pages, their script and robots.txt into `outDir`. */
export async function prerender(options: PrerenderOptions): Promise<void> {
  const { outDir, base, publicUrl } = options
  // Importing through Vite means development to it, for every build that follows too, unless told.
  process.env['NODE_ENV'] ??= 'production'
  const { module } = await runnerImport<typeof Renderer>(join(WEB, 'src/public-site/render.tsx'), {
    ...SHARED,
    base,
    plugins: [react()],
  })
  const pages = module
    .renderPublicPages(base, options.supportEmail)
    .map((page) => ({ ...page, ...withoutStyleAttributes(withoutIdleParts(page.body)) }))
  const { script, styles } = await buildAssets(base, outDir, pages)
  await mkdir(outDir, { recursive: true })
  for (const page of pages) {
    const { body, style } = withShortNames(page.body, styles.get(page.name) ?? '')
    await writeFile(
      join(outDir, `${page.name}.html`),
      documentOf({ page: { ...page, body }, style, script, base, publicUrl }),
    )
  }
  await writeFile(join(outDir, 'robots.txt'), robots(base, publicUrl))
  if (publicUrl !== null) await writeFile(join(outDir, 'sitemap.xml'), sitemap(pages, publicUrl))
}

const SHARED = { root: WEB, configFile: false, logLevel: 'warn' } as const

interface StyledPage extends RenderedPage {
  /** Rules for what was said in style attributes. */
  readonly rules: string
}

/**
 * Leaves out what only the app's own scripts use: the hooks of tooltips and of moving by keys, the
 * router's marks, and the words for hours in which nothing was done.
 */
function withoutIdleParts(html: string): string {
  return html.replaceAll(
    / (?:data-tip="[^"]*"|data-discover="true"|tabindex="-1"|aria-label="[^"]*: nothing"|xmlns="[^"]*")/g,
    '',
  )
}

/**
 * The policy of the pages allows no style attributes, and the components of the product have some:
 * each different one becomes a class.
 */
function withoutStyleAttributes(html: string): { body: string; rules: string } {
  const names = new Map<string, string>()
  const body = html.replaceAll(/<[a-z][^>]* style="[^"]*"[^>]*>/g, (tag) => {
    const [, style = ''] = / style="([^"]*)"/.exec(tag) ?? []
    const name = names.get(style) ?? `s${names.size}`
    names.set(style, name)
    const plain = tag.replace(/ style="[^"]*"/, '')
    return plain.includes(' class="')
      ? plain.replace(' class="', ` class="${name} `)
      : plain.replace(/^<[a-z]+/, `$& class="${name}"`)
  })
  const rules = [...names].map(([style, name]) => `.${name}{${unescapeHtml(style)}}`).join('\n')
  return { body, rules }
}

/**
 * Calls every class by a short name, in the markup and in the style sheet: a sixth of the page.
 * Classes without a rule go.
 */
function withShortNames(body: string, style: string): { body: string; style: string } {
  const counts = new Map<string, number>()
  for (const name of classesOf(body)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const inRules = new Set([...style.matchAll(CLASS_SELECTOR)].map(([, name = '']) => bare(name)))
  const names = [...counts.keys()]
    .filter((name) => inRules.has(name))
    .toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))
  const short = new Map(names.map((name, index) => [name, shortName(index)]))
  return {
    body: body.replaceAll(/ class="([^"]*)"/g, (_attribute, text: string) => {
      const kept = unescapeHtml(text)
        .split(/\s+/)
        .flatMap((name) => short.get(name) ?? [])
      return kept.length > 0 ? ` class="${kept.join(' ')}"` : ''
    }),
    style: style.replaceAll(CLASS_SELECTOR, (selector, name: string) =>
      short.has(bare(name)) ? `.${short.get(bare(name))}` : selector,
    ),
  }
}

/** A class in a selector, as escaped there: `.md\:h-8`. Numbers look alike, but name no class. */
const CLASS_SELECTOR = /\.((?:\\.|[\w-])+)/g

function bare(escaped: string): string {
  return escaped.replaceAll('\\', '')
}

/** 'a' … 'z', 'aa', 'ab' … */
function shortName(index: number): string {
  const last = String.fromCodePoint(97 + (index % 26))
  return index < 26 ? last : shortName(Math.floor(index / 26) - 1) + last
}

function classesOf(html: string): string[] {
  return [...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = '']) =>
    unescapeHtml(names).split(/\s+/),
  )
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** The pages' one script, and for each page exactly the rules that it uses. */
async function buildAssets(
  base: string,
  outDir: string,
  pages: readonly StyledPage[],
): Promise<{ script: string; styles: ReadonlyMap<string, string> }> {
  const result = await build({
    ...SHARED,
    base,
    publicDir: false,
    plugins: [tailwindcss(), pageStyles(pages)],
    build: {
      outDir,
      write: false,
      target: 'es2023',
      cssTarget: CSS_TARGET,
      modulePreload: false,
      cssCodeSplit: true,
      rolldownOptions: {
        input: {
          public: SCRIPT,
          ...Object.fromEntries(pages.map(({ name }) => [name, `${STYLES}?page=${name}`])),
        },
        output: { minify: { compress: { dropConsole: true } } },
      },
    },
  })
  if (Array.isArray(result) || !('output' in result)) throw new Error('The build made no output')
  const styles = new Map<string, string>()
  let script = ''
  for (const part of result.output) {
    if (part.type === 'asset' && part.fileName.endsWith('.css')) {
      // Pages that use the same rules share one asset.
      for (const { name } of pages) {
        if (part.names.includes(`${name}.css`))
          styles.set(name, withoutFallback(String(part.source)))
      }
    } else if (part.type === 'chunk' && part.facadeModuleId === SCRIPT) {
      script = part.fileName
      const file = join(outDir, part.fileName)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, part.code)
    }
  }
  if (script === '') throw new Error('The build made no script for the public pages')
  return { script, styles }
}

/** Without Tailwind's notice, and without its way around browsers older than the styles' targets. */
function withoutFallback(style: string): string {
  return style
    .replace(/^\/\*!.*?\*\/\s*/, '')
    .replace(/^@layer properties\{@supports .*?\}\}\}/, '')
    .trim()
}

/**
 * The app's style sheet, cut down to a page: Tailwind looks only at the classes in its markup, and
 * keeps only the tokens that they use.
 */
function pageStyles(pages: readonly StyledPage[]): Plugin {
  return {
    name: 'stint-page-styles',
    enforce: 'pre',
    async load(id) {
      const [path, query] = id.split('?page=')
      const page = pages.find(({ name }) => name === query)
      if (path !== STYLES || !page) return null
      const source = await readFile(STYLES, 'utf8')
      return source
        .replace(
          "@import 'tailwindcss';",
          `@layer theme, base, components, utilities;
           @import 'tailwindcss/theme.css' layer(theme);
           @import './public-site/reset.css' layer(base);
           @import 'tailwindcss/utilities.css' layer(utilities) source(none);
           @source inline(${JSON.stringify([...new Set(classesOf(page.body))].join(' '))});`,
        )
        .replace('@theme static', '@theme inline {\n  --spacing: 0.25rem;\n}\n@theme')
        .concat(page.rules)
    },
  }
}

function documentOf(parts: {
  page: RenderedPage
  style: string
  script: string
  base: string
  publicUrl: string | null
}): string {
  const { page, style, script, base, publicUrl } = parts
  const at = (path: string) => `${base}${path}`
  const url = (path: string) => `${publicUrl}${path}`
  const known =
    publicUrl === null
      ? ''
      : `<link rel="canonical" href="${url(page.path)}">
<meta property="og:url" content="${url(page.path)}">
`
  const picture = publicUrl === null ? at('og.png') : url('/og.png')
  return `<!doctype html>
<html lang="en" data-theme="system">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${page.title}</title>
<meta name="description" content="${page.description}">
<style>${style}</style>
<script type="module" src="${at(script)}"></script>
<link rel="icon" href="${at('icons/favicon.svg')}" type="image/svg+xml">
<link rel="apple-touch-icon" href="${at('icons/apple-touch-icon.png')}">
<link rel="manifest" href="${at('manifest.webmanifest')}">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${THEME_COLORS.light}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${THEME_COLORS.dark}">
${known}<meta property="og:type" content="website">
<meta property="og:site_name" content="Stint">
<meta property="og:title" content="${page.title}">
<meta property="og:description" content="${page.description}">
<meta property="og:image" content="${picture}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="Stint’s timer, running">
<meta name="twitter:card" content="summary_large_image">
</head>
<body>${page.body}</body>
</html>
`
}

/** The background of styles.css in both themes, as browsers want it: without oklch. */
const THEME_COLORS = { light: '#fbfaf8', dark: '#0f1116' }

/** Everything may be read; the sitemap is named where its address is known. */
function robots(base: string, publicUrl: string | null): string {
  const lines = ['User-agent: *', `Disallow: ${base}v1/`]
  if (publicUrl !== null) lines.push(`Sitemap: ${publicUrl}/sitemap.xml`)
  return `${lines.join('\n')}\n`
}

function sitemap(pages: readonly RenderedPage[], publicUrl: string): string {
  const urls = pages.map(({ path }) => `<url><loc>${publicUrl}${path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`
}
