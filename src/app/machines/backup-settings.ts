// Where backups of machines are stored, as the site file says, and the repository of each machine.
import type { BackupRepositorySettings, SiteBackups } from '#contract/site/backups.ts';
import type { Site } from '#contract/site/site.ts';
import type { RepositoryAccess } from '#drivers/backup/driver.ts';
import { ApiError } from '#lib/api-error.ts';
import type { AccountId } from '#store/account-id.ts';
import type { BackupPlan } from '#store/devices/machine-backups.ts';
import type { Queries } from '#store/store.ts';
import { loadSiteSettings } from '../site/settings.ts';
import type { SiteProblem } from '../site/site-problem.ts';
import type { App } from '../app.ts';

export const backupDefaults = { atOnce: 2, perMachine: 60, with_volumes: 1 } as const;
const defaultPlan = {
  frequency: 'off',
  weekday: 0,
  hour: 2,
  keep_daily: 7,
  keep_weekly: 4,
  keep_monthly: 0,
} as const;
const passwordBytes = 32;

export async function findBackupSettings(
  app: Pick<App, 'secrets'>,
  queries: Queries,
): Promise<SiteBackups | undefined> {
  return (await loadSiteSettings(app, queries))?.backups;
}

export async function requireBackupSettings(app: Pick<App, 'secrets'>, queries: Queries): Promise<SiteBackups> {
  const settings = await findBackupSettings(app, queries);
  if (settings === undefined)
    throw new ApiError('capability_missing', { message: 'The provider does not offer backups of machines.' });
  return settings;
}

/** What each driver needs beyond a path. */
const neededFields = {
  local: [],
  lab: [],
  sftp: ['host', 'user', 'key', 'hostKey'],
  s3: ['url', 'accessKeyId', 'secretAccessKey'],
} as const satisfies Record<BackupRepositorySettings['driver'], readonly (keyof BackupRepositorySettings)[]>;

export function* checkBackups({ backups }: Pick<Site, 'backups'>): Iterable<SiteProblem> {
  if (backups === undefined) return;
  const path = ['backups', 'repository'];
  const { repository } = backups;
  for (const field of neededFields[repository.driver])
    if (repository[field] === undefined)
      yield [path, `a repository with the driver ${repository.driver} needs ${field}`];
  if (repository.driver !== 's3' && !repository.path.startsWith('/'))
    yield [[...path, 'path'], 'must be the path of a folder, beginning with a slash'];
  if (backups.scratch !== undefined && !backups.scratch.startsWith('/'))
    yield [['backups', 'scratch'], 'must be the path of a folder, beginning with a slash'];
}

/** Returns the plan that a machine has before anyone sets one, with a new password for its repository. */
export function newBackupPlan({ secrets }: Pick<App, 'secrets'>, account: AccountId, service: number): BackupPlan {
  const password = Buffer.from(crypto.getRandomValues(new Uint8Array(passwordBytes))).toString('base64url');
  return {
    service_id: service,
    account_id: account,
    password: secrets.seal(password, sealContext(service)),
    is_created: 0,
    ...defaultPlan,
    next_at: null,
    failures: 0,
    error: '',
    stored_bytes: 0,
    needs_prune: 0,
    with_volumes: backupDefaults.with_volumes,
  };
}

export function repositoryAccess(
  { secrets }: Pick<App, 'secrets'>,
  { service_id, password }: Pick<BackupPlan, 'service_id' | 'password'>,
): RepositoryAccess {
  return { name: `machine-${service_id}`, password: secrets.open(password, sealContext(service_id)) };
}

function sealContext(service: number): string {
  return `backup repository ${service}`;
}
