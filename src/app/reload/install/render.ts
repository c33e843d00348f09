// Renders what the boot server serves for a system and a server.
import { renderAutoinstall } from './autoinstall.ts';
import type { BootBase, InstallInput, RenderedBoot, System, SystemSource } from './input.ts';
import { renderKickstart } from './kickstart.ts';
import { renderPreseed } from './preseed.ts';
import { renderImage, renderPassword, renderRescue } from './stage.ts';
import { checkedInput } from './text.ts';

export interface BootTask {
  readonly kind: 'reload' | 'rescue' | 'password';
  readonly system: System;
  readonly install: InstallInput;
  /** The digest of the image file, if the system has one. */
  readonly imageSha256: string;
}

export function renderBoot({ kind, system, install, imageSha256 }: BootTask, base: BootBase): RenderedBoot {
  const { source } = system;
  if (source === undefined) throw new Error(`no files for ${system.value}`);
  const known: System & { source: SystemSource } = { ...system, source };
  const input = checkedInput(install);
  if (kind === 'rescue') return renderRescue(known, input, base);
  if (kind === 'password') return renderPassword(known, input, base);
  switch (source.kind) {
    case 'preseed':
      return renderPreseed(known, input, base);
    case 'kickstart':
      return renderKickstart(known, input, base);
    case 'autoinstall':
      return renderAutoinstall(known, input, base);
    case 'image':
      return renderImage(known, input, base, imageSha256);
    case 'rescue':
      return renderRescue(known, input, base);
  }
}
