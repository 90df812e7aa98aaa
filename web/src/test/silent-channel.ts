import { vi } from 'vitest'

/** A channel without listeners, where each device has one tab. */
class SilentChannel {
  addEventListener(): void {
    // There is no other tab to send a message.
  }
  postMessage(): void {
    // There is no other tab to receive a message.
  }
  close(): void {
    // There is no open channel.
  }
}

/** Replaces the channels between the tabs of a browser, which cost more than what is written. */
export function silenceChannels(): void {
  vi.stubGlobal('BroadcastChannel', SilentChannel)
}
