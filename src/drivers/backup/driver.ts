// The interface of backup repositories. A machine has its own repository and password, so that no tenant's data
// can be read through another's, and the backups of a machine can be measured and removed separately. Errors are ApiErrors with
// the codes `backup_unreachable` and `backup_error`.
import type { BackupRepositorySettings } from '#contract/site/backups.ts';

export type RepositorySettings = BackupRepositorySettings;

export interface RepositoryAccess {
  /** Letters, digits and hyphens; names the repository within the place that the settings name. */
  readonly name: string;
  readonly password: string;
}

export interface StoredContent {
  /** Names what was stored; only this id is ever read. */
  readonly snapshot: string;
  /** Growth of the repository: content that it already has is not stored again. */
  readonly addedBytes: number;
}

export interface BackupRepository {
  /** Rejects with `backup_unreachable` or `backup_error` if the place cannot be used. Needs no repository. */
  probe(signal: AbortSignal): Promise<void>;
  /** Creates the repository. Succeeds if it exists. */
  create(signal: AbortSignal): Promise<void>;
  /** Resolves once the content is stored completely. If it rejects, nothing was stored that `snapshot` could name. */
  store(content: AsyncIterable<Buffer>, signal: AbortSignal): Promise<StoredContent>;
  /** The iteration throws if the content is damaged or missing. */
  read(snapshot: string, signal: AbortSignal): AsyncIterable<Buffer>;
  /** Removes everything but these snapshots, and returns how many bytes are stored now. */
  keepOnly(snapshots: readonly string[], signal: AbortSignal): Promise<number>;
  /** Checks the structure of the repository, without reading all content. */
  check(signal: AbortSignal): Promise<void>;
}
