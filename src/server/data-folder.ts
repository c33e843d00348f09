// Makes the data folder private to the server's user: it holds keys, password hashes and customer data.
import { chmodSync, mkdirSync, statSync } from 'node:fs';

const ownerOnly = 0o700;
const others = 0o077;
const sticky = 0o1000;

export function openDataFolder(path: string): void {
  // SQLite creates its own files, so only the umask can set their permissions.
  process.umask(others);
  mkdirSync(path, { recursive: true, mode: ownerOnly });
  const { uid, mode } = statSync(path);
  // A sticky folder such as /tmp is shared on purpose, so its permissions are not changed.
  if (uid === process.getuid?.() && (mode & others) !== 0 && (mode & sticky) === 0) chmodSync(path, ownerOnly);
}
