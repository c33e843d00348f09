// The first stage of a network boot, by TFTP: firmware that knows nothing better fetches iPXE from here, and iPXE the script
// that leads to the boot server. Three files, and no others of this machine.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SiteBoot } from '#contract/site-systems.ts';
import type { Log } from '#kernel/log.ts';
import type { TftpServer } from '#wire/tftp/server.ts';
import { firstStage } from './install/ipxe.ts';

export const firmwareNames = { bios: 'undionly.kpxe', uefi: 'snponly.efi' } as const;
/** Of Debian's package ipxe. */
const packageFolder = '/usr/lib/ipxe';

/** Where the boot server is, as firmware is told: by its URL, or on the machine that its DHCP server named. */
export function bootUrl({ url }: Pick<SiteBoot, 'url'>, port: number): string {
  return url?.replace(/\/$/, '') ?? `http://\${next-server}:${port}`;
}

export async function startFirstStage(
  log: Log,
  boot: SiteBoot & { readonly tftp: string },
  bootPort: number,
): Promise<TftpServer> {
  // Loaded only where it is used.
  const { startTftpServer } = await import('#wire/tftp/server.ts');
  const kept = new Map<string, Buffer>([['boot.ipxe', Buffer.from(firstStage(bootUrl(boot, bootPort)))]]);
  const names: readonly string[] = Object.values(firmwareNames);
  return startTftpServer({
    ...splitListen(boot.tftp),
    async find(name) {
      const known = kept.get(name);
      if (known !== undefined || !names.includes(name)) return known;
      try {
        const content = await readFile(join(boot.firmware ?? packageFolder, name));
        kept.set(name, content);
        return content;
      } catch (error) {
        log.error({ err: error }, `${name} is not there: the package ipxe has it`);
        return undefined;
      }
    },
    onFault: (error) => log.error({ err: error }, 'the TFTP server failed'),
  });
}

export function splitListen(listen: string): { readonly address: string; readonly port: number } {
  const colon = listen.lastIndexOf(':');
  return { address: listen.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(listen.slice(colon + 1)) };
}
