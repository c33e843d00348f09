// The first stage of a network boot, over TFTP: plain firmware fetches iPXE here, and iPXE the script that leads to the boot
// server. Serves three files and no others.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SiteBoot } from '#contract/site/systems.ts';
import { splitListen } from '#lib/config.ts';
import type { Log } from '#lib/log.ts';
import type { TftpServer } from '#protocols/tftp/server.ts';
import { firstStage } from './install/ipxe.ts';

export const firmwareNames = { bios: 'undionly.kpxe', uefi: 'snponly.efi' } as const;
/** Of Debian's ipxe package. */
const packageFolder = '/usr/lib/ipxe';

/** Returns the boot server's URL for firmware: the configured one, or the host that the DHCP server named. */
export function bootUrl({ url }: Pick<SiteBoot, 'url'>, port: number): string {
  return url?.replace(/\/$/, '') ?? `http://\${next-server}:${port}`;
}

export function firmwarePath({ firmware }: Pick<SiteBoot, 'firmware'>, name: string): string {
  return join(firmware ?? packageFolder, name);
}

export async function startFirstStage(
  log: Log,
  boot: SiteBoot & { readonly tftp: string },
  bootPort: number,
): Promise<TftpServer> {
  // Loaded on demand: most sites do not need it.
  const { startTftpServer } = await import('#protocols/tftp/server.ts');
  const files = new Map<string, Buffer>([['boot.ipxe', Buffer.from(firstStage(bootUrl(boot, bootPort)))]]);
  const names: readonly string[] = Object.values(firmwareNames);
  const { host: address, port } = splitListen(boot.tftp);
  return startTftpServer({
    address,
    port,
    async find(name) {
      const file = files.get(name);
      if (file !== undefined || !names.includes(name)) return file;
      try {
        const content = await readFile(firmwarePath(boot, name));
        files.set(name, content);
        return content;
      } catch (error) {
        log.error({ err: error }, `${name} is missing; install the ipxe package`);
        return undefined;
      }
    },
    onError: (error) => log.error({ err: error }, 'the TFTP server failed'),
  });
}
