// The data folder and all that is made in it are the server's alone: keys, passwords' hashes and customers' names are there.
import { chmodSync, mkdirSync, statSync } from 'node:fs';

const ownerOnly = 0o700;
const others = 0o077;
const sticky = 0o1000;

export function openDataFolder(path: string): void {
  // SQLite makes its files itself, so that only the process's mask can say who may read them.
  process.umask(others);
  mkdirSync(path, { recursive: true, mode: ownerOnly });
  const { uid, mode } = statSync(path);
  // A sticky folder, such as /tmp, is shared on purpose: closing it would hurt others more than it would help us.
  if (uid === process.getuid?.() && (mode & others) !== 0 && (mode & sticky) === 0) chmodSync(path, ownerOnly);
}
