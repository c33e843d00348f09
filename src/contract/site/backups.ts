// The site file's part about backups of machines: where they are stored, and how much of it customers can use.
import { Type, type Static } from 'typebox';
import * as p from '../parameters.ts';
import { Secret } from './secrets.ts';

/** Each machine has its own repository below this place, encrypted with its own password. */
export const BackupRepositorySettings = p.StrictObject({
  /** A folder of this server, such as a mounted disk; another server by SFTP; or storage with the S3 API. `lab` encrypts nothing. */
  driver: p.Choice('local', 'sftp', 's3', 'lab'),
  /** The folder: on this server, on the other one, or within the bucket. */
  path: p.Text({ max: 1024 }),
  host: Type.Optional(p.Matching('^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$', 'must be a host name or an IPv4 address')),
  port: Type.Optional(p.Whole(1, 65_535)),
  user: Type.Optional(p.Matching('^[A-Za-z_][A-Za-z0-9_.-]{0,31}$', 'must be the name of a user')),
  /** The private key, without a passphrase. */
  key: Type.Optional(Secret),
  /** The other server's public key, such as `ssh-ed25519 AAAA…`. */
  hostKey: Type.Optional(
    p.Matching('^[a-z0-9@.-]{1,64} [A-Za-z0-9+/=]{1,2048}$', 'must be a public key such as ssh-ed25519 AAAA…'),
  ),
  /** Of the S3 API, with the bucket: https://s3.example.net/bucket */
  url: Type.Optional(
    Type.String({
      maxLength: 1024,
      pattern: '^https?://[A-Za-z0-9.:\\[\\]-]+/[a-z0-9.-]{3,63}$',
      'x-reason': 'must be the URL of a bucket such as https://s3.example.net/backups',
    }),
  ),
  region: Type.Optional(p.Text({ max: 64 })),
  accessKeyId: Type.Optional(p.Text({ max: 128 })),
  secretAccessKey: Type.Optional(Secret),
});
export type BackupRepositorySettings = Static<typeof BackupRepositorySettings>;

export const SiteBackups = p.StrictObject({
  repository: BackupRepositorySettings,
  /** How many machines one instance backs up or restores at the same time; 2 by default. */
  atOnce: Type.Optional(p.Whole(1, 32)),
  /** How many backups of a machine are kept at most, whatever its schedule says; 60 by default. */
  perMachine: Type.Optional(p.Whole(1, 1000)),
  /** Where the weekly test restores a backup to; the folder of temporary files by default. */
  scratch: Type.Optional(p.Text({ max: 1024 })),
});
export type SiteBackups = Static<typeof SiteBackups>;
