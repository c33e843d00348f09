// Checks that the host can run machines with the configured accelerator. libvirt lists KVM only if the host has /dev/kvm.
import { connectGetCapabilities } from '#protocols/libvirt/procedures.ts';
import type { Session } from './session.ts';
import { childrenNamed, findPath, parseXml } from './xml.ts';

export async function findAcceleratorProblems(
  session: Session,
  accelerator: 'kvm' | 'tcg',
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (accelerator !== 'kvm') return [];
  const capabilities = parseXml((await session.call(connectGetCapabilities, undefined, signal)).xml);
  const canUseKvm = childrenNamed(capabilities, 'guest').some((guest) =>
    childrenNamed(findPath(guest, 'arch'), 'domain').some(({ attributes }) => attributes['type'] === 'kvm'),
  );
  return canUseKvm ? [] : ['The accelerator is kvm, but the host cannot use KVM.'];
}
