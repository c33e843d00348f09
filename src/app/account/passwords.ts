// People's passwords, hashed with argon2id (the library's default kind) at the cost that OWASP asks for (19 MiB, two passes).
import { hash, verify } from '@node-rs/argon2';

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Compared with when there is no such person, so that the answer takes as long and tells nothing. */
let nobody: Promise<string> | undefined;

export function passwordHash(password: string): Promise<string> {
  return hash(password, cost);
}

export async function passwordFits(stored: string | null | undefined, password: string): Promise<boolean> {
  const fits = await verify(stored ?? (await (nobody ??= passwordHash('nobody has this password'))), password);
  return fits && typeof stored === 'string';
}
