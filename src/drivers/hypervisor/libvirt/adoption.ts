// Machines that the provider defined: what they are, and what Hostyard cannot do with them. Nothing here changes them.
import { ApiError } from '#lib/api-error.ts';
import { connectListAllDomains, domainGetBlockInfo, type Domain } from '#protocols/libvirt/procedures.ts';
import type { Adoption } from '../adoption.ts';
import { bytesPerGb } from '../driver.ts';
import { canChooseBoot, diskFile, diskPaths, findCard, findDisk } from './domain.ts';
import type { Session } from './session.ts';
import { systemIdFromPath } from './storage.ts';
import { childrenNamed, findPath, type Element } from './xml.ts';

const kibibytesPerMb = 1024;
const persistentOnly = 4;
/** libvirt filters the ports of these. */
const filteredCards = new Set(['bridge', 'network', 'ethernet']);

export function createAdoption(session: Session): Adoption {
  return {
    async inspect(name, signal) {
      const dom = await session.findByName(name, signal);
      if (dom === undefined) throw new ApiError('not_found', { internal: `no machine ${name}` });
      const description = await session.describe(dom, 'persistent', signal);
      return {
        vcpus: Number(findPath(description, 'vcpu')?.text ?? 1),
        memoryMb: Math.max(1, Math.floor(Number(findPath(description, 'memory')?.text ?? 0) / kibibytesPerMb)),
        diskGb: await readDiskGb(session, dom, description, signal),
        mac: findPath(description, 'devices', 'interface', 'mac')?.attributes['address']?.toLowerCase(),
        limitations: await findLimitations(session, dom, description, signal),
      };
    },
  };
}

async function findLimitations(
  session: Session,
  dom: Domain,
  description: Element,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { domains } = await session.call(connectListAllDomains, { needResults: 1, flags: persistentOnly }, signal);
  const card = findCard(description);
  const agent = childrenNamed(findPath(description, 'devices'), 'channel').some(
    (channel) => findPath(channel, 'target')?.attributes['name'] === 'org.qemu.guest_agent.0',
  );
  const obstacles: readonly (readonly [boolean, string])[] = [
    [!domains.some(({ name }) => name === dom.name), 'libvirt forgets it when it stops, because it is not defined.'],
    [true, 'It cannot be reinstalled, resized or copied, because Hostyard did not make its disk.'],
    [findDisk(description, 'image') === undefined, 'It has no CD drive for images.'],
    [!canChooseBoot(description, 'disk'), 'Its boot device cannot be chosen.'],
    [findPath(description, 'devices', 'graphics')?.attributes['type'] !== 'vnc', 'It has no VNC console.'],
    [!agent, 'Its host name and root password cannot be changed, because it has no channel for a guest agent.'],
    [!filteredCards.has(card?.attributes['type'] ?? ''), 'Its traffic cannot be filtered.'],
  ];
  return obstacles.flatMap(([applies, sentence]) => (applies ? [sentence] : []));
}

/** Rounded up. The size of a disk that libvirt cannot read counts as nothing. */
async function readDiskGb(session: Session, dom: Domain, description: Element, signal: AbortSignal): Promise<number> {
  const [path] = diskPaths(description);
  if (path === undefined) return 1;
  const bytes = await session.call(domainGetBlockInfo, { dom, path, flags: 0 }, signal).then(
    ({ capacity }) => Number(capacity),
    (error: unknown) => {
      if (error instanceof ApiError && error.code === 'node_error') return 0;
      throw error;
    },
  );
  return Math.max(1, Math.ceil(bytes / bytesPerGb));
}

/** Returns why a machine cannot be reinstalled, in a sentence. */
export function findReinstallProblems(name: string, description: Element): readonly string[] {
  const isOwn = systemIdFromPath(name, diskFile(findDisk(description, 'disk')) ?? '') !== undefined;
  return isOwn ? [] : ['Hostyard did not make its disk.'];
}
