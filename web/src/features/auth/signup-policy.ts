import type { ServerInfo } from '#hooks/use-server-info.ts'
import { signupPolicyOfPage } from '#session/page-policy.ts'

/** Returns who may create an account: until the server's information arrives, what its page says. */
export function signupPolicy(info: ServerInfo | null): ServerInfo['signup'] {
  return info?.signup ?? signupPolicyOfPage()
}
