/** The day timeline, for other features. */
import { createRequest } from '#ui/request.ts'

/**
 * The id of a session that the day timeline of /reports is to show and open. The request waits until
 * its block is on the page.
 */
export const sessionRequest = createRequest<string>()
