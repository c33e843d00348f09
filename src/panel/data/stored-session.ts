// The session of a person, and its format in the browser's storage.

export type Portal = 'customer' | 'staff';
export interface Session {
  readonly portal: Portal;
  readonly key: string;
}

/** Keeps the member name `face` of earlier versions, so that nobody is signed out by an upgrade. */
export function serializeSession({ portal, key }: Session): string {
  return JSON.stringify({ face: portal, key });
}

export function parseSession(text: string): Session | undefined {
  try {
    const { face, key } = JSON.parse(text) as { face?: unknown; key?: unknown };
    return (face === 'customer' || face === 'staff') && typeof key === 'string' ? { portal: face, key } : undefined;
  } catch {
    return undefined;
  }
}
