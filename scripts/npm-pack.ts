// Packs the folder of a package as npm publishes it, without the network. npm gives all files the same time, so the same folder always
// gives the same archive.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Returns the file, in the folder `target`. */
export function packFolder(folder: string, target: string): string {
  const output = execFileSync(
    'npm',
    ['pack', '--json', '--offline', '--ignore-scripts', '--pack-destination', target],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, npm_config_update_notifier: 'false' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [{ filename }] = JSON.parse(output) as [{ filename: string }];
  return join(target, filename);
}
