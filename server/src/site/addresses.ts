/**
 * Texts that contain the server's address. The server fills them in at its start, or a build for
 * one address does.
 */
import type { Language } from '@stint/core/text.ts'

/** Returns the name of a page's file in a language. */
export function fileIn(language: Language, name: string): string {
  return language === 'en' ? name : `${language}/${name}`
}

/** Returns the address of a public page in a language, within the site of Stint's own server. */
export function pageAddress(path: string, language: Language): string {
  return language === 'en' ? path : `${path}?language=${language}`
}

/** Returns the address of a public page on a server that only serves files. */
export function pageFileAddress(path: string, language: Language): string {
  return language === 'en' ? path : `/${language}${path === '/' ? '/index' : path}.html`
}

/**
 * Returns a public page with its canonical address, those of the other languages, and absolute
 * links for previews.
 * @param addressIn returns the page's address in a language, within the site.
 */
export function withPublicUrl(
  html: string,
  publicUrl: string,
  addressIn: (language: Language) => string,
  { language, languages }: { language: Language; languages: readonly Language[] },
): string {
  const fullAddress = (each: Language) => escapeHtml(publicUrl + addressIn(each))
  const address = fullAddress(language)
  const others =
    languages.length < 2
      ? []
      : [['x-default', 'en'] as const, ...languages.map((each) => [each, each] as const)]
  const alternates = others.map(
    ([name, each]) => `<link rel="alternate" hreflang="${name}" href="${fullAddress(each)}">\n`,
  )
  const mark = '<meta property="og:type"'
  return html
    .replace(
      mark,
      () => `<link rel="canonical" href="${address}">
${alternates.join('')}<meta property="og:url" content="${address}">
${mark}`,
    )
    .replace(
      /(<meta property="og:image" content=")[^"]*/,
      (_, start: string) => `${start}${escapeHtml(publicUrl)}/og.png`,
    )
}

/** Returns a page with this address in its links to support, if the build knew none. */
export function withSupportEmail(html: string, supportEmail: string): string {
  const address = escapeHtml(supportEmail)
  return html.replaceAll(
    /(<a href="mailto:)[^"]*(" data-support=""[^>]*>)[^<]*/g,
    (_, start: string, rest: string) => start + address + rest + address,
  )
}

/** Returns robots.txt, which allows everything and names the sitemap if its address is known. */
export function robotsText(base: string, publicUrl: string | null): string {
  const lines = ['User-agent: *', `Disallow: ${base}v1/`]
  if (publicUrl !== null) lines.push(`Sitemap: ${publicUrl}/sitemap.xml`)
  return `${lines.join('\n')}\n`
}

/** Returns the sitemap of pages at these paths. */
export function sitemapText(paths: readonly string[], publicUrl: string): string {
  const urls = paths.map((path) => `<url><loc>${escapeHtml(publicUrl + path)}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
