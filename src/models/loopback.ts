const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** Whether an address is one of this machine, by how its host is written: no name is looked up. */
export function isLoopback(address: string): boolean {
  return URL.canParse(address) && loopback.test(new URL(address).hostname);
}
