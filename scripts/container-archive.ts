// Rewrites the archive of a container image so that the same layers always give the same bytes: podman names the container in which it
// built each step, which has another id every time, and stores the same layers under older names as well.
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface ImageConfig {
  container?: unknown;
  container_config?: unknown;
  parent?: unknown;
  config: { Hostname?: unknown };
  history: { comment?: unknown }[];
}

/** Takes the archive apart in a new folder below `work`. */
export function rewriteArchive(file: string, work: string): void {
  const folder = mkdtempSync(join(work, 'image-'));
  try {
    execFileSync('tar', ['--extract', '--file', file, '--directory', folder]);
    const manifest = join(folder, 'manifest.json');
    const [image] = JSON.parse(readFileSync(manifest, 'utf8')) as [{ Config: string; Layers: string[] }];
    const config = JSON.parse(readFileSync(join(folder, image.Config), 'utf8')) as ImageConfig;
    for (const name of ['container', 'container_config', 'parent'] as const) delete config[name];
    delete config.config.Hostname;
    for (const step of config.history) delete step.comment;
    const text = JSON.stringify(config);
    const name = `${hash('sha256', text, 'hex')}.json`;
    writeFileSync(join(folder, name), text);
    writeFileSync(manifest, JSON.stringify([{ ...image, Config: name }]));
    const same = ['--format=ustar', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rw,go=r'];
    const files = ['manifest.json', name, ...new Set(image.Layers)];
    execFileSync('tar', ['--create', '--file', file, ...same, '--directory', folder, ...files]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
