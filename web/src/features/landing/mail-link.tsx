import { DEFAULT_SUPPORT_EMAIL } from './pages.ts'

/**
 * The support address as a link. Marked where the build did not know it, so that the script of the
 * prerendered pages puts the server's own address in its place.
 */
export function MailLink({ address }: { address: string }) {
  return (
    <a
      href={`mailto:${address}`}
      data-support={address === DEFAULT_SUPPORT_EMAIL ? '' : undefined}
      className="rounded-control text-accent underline underline-offset-4 hover:text-accent-strong"
    >
      {address}
    </a>
  )
}
