import { DEFAULT_SUPPORT_EMAIL } from './pages.ts'

/**
 * A link to the support address. The default address is marked, so that the script of the prerendered
 * pages replaces it with the server's own.
 */
export function SupportLink({ address }: { address: string }) {
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
