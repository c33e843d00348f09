// A copy of the project at the project's own path, for following the documents: with its own network, /etc, /opt and
// /var/backups, so that ports and paths are as written and nothing affects other tests or remains.
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from './folder.ts';
import { root } from './pages.ts';
import type { Place } from './walkthrough.ts';

const notCopied = new Set(['.git', 'data', 'node_modules', 'out']);

export async function projectCopy(files: Readonly<Record<string, string>>): Promise<Place & AsyncDisposable> {
  const folder = await temporaryFolder('copy');
  const at = (name: string): string => join(folder.path, name);
  const copied = readdirSync(root).filter((name) => !notCopied.has(name));
  // Includes what `npm ci` built.
  const built = ['packages', 'panel', 'program', 'reference'].map((name) => join('out', name));
  for (const name of [...copied, ...built.filter((name) => existsSync(join(root, name)))])
    cpSync(join(root, name), join(at('copy'), name), { recursive: true });
  for (const name of ['backups/hostyard', 'copy/node_modules', 'opt']) mkdirSync(at(name), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(at('copy'), name)), { recursive: true });
    writeFileSync(join(at('copy'), name), text);
  }
  if (root !== '/opt/hostyard') symlinkSync(root, at('opt/hostyard'));
  return {
    namespaces: ['--net', '--mount'],
    enter: `
      set -e
      ip link set lo up
      cp -a /etc ${at('etc')} || echo 'some of /etc was not copied'
      mkdir -p ${at('etc/hostyard')} ${at('etc/dnsmasq.d')}
      # Node itself may be in /opt.
      for each in /opt/*/; do mkdir ${folder.path}$each && mount --rbind $each ${folder.path}$each || :; done
      mount --bind ${at('etc')} /etc && mount --rbind ${at('opt')} /opt
      mount --bind ${at('backups')} /var/backups
      mount --bind ${root}/node_modules ${at('copy/node_modules')} && mount --rbind ${at('copy')} ${root}
      cd ${root}
      PATH=${root}/bin:$PATH
      # It has been run already, as far as this copy is concerned; test/long runs it.
      npm() { [ "$1" = ci ] || command npm "$@"; }
      export -f npm`,
    env: {},
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
