// Shared by requests for LXD's own backups, of containers and of volumes.

/** LXD removes what Hostyard does not. */
const keptDays = 3;

/** Not compressed, because the repository recognizes only content that it can see. */
export function backupSettings(id: string): object {
  return {
    name: id,
    optimized_storage: false,
    compression_algorithm: 'none',
    expires_at: new Date(Date.now() + keptDays * 86_400_000).toISOString(),
  };
}

export function namedHeaders(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => [`x-lxd-${name}`, `x-incus-${name}`].map((key) => [key, value])),
  );
}
