// Renders what the boot server serves for a system and a server.
import type { NetworkBootKind } from '#contract/states/reloads.ts';
import type { System } from '#contract/site/systems.ts';
import { renderAutoinstall } from './autoinstall.ts';
import { renderErase } from './erase.ts';
import type { BootBase, InstallInput, RenderedBoot } from './input.ts';
import { renderKickstart } from './kickstart.ts';
import { renderPreseed } from './preseed.ts';
import { renderImage, renderPassword, renderRescue } from './stage.ts';
import { requireValidInput } from './text.ts';

export interface BootTask {
  readonly kind: NetworkBootKind;
  readonly system: System;
  readonly install: InstallInput;
  /** The digest of the image file, if the system has one. */
  readonly imageSha256: string;
}

export function renderBoot({ kind, system, install, imageSha256 }: BootTask, base: BootBase): RenderedBoot {
  const { source } = system;
  if (source === undefined) throw new Error(`no files for ${system.value}`);
  const input = requireValidInput(install);
  if (kind === 'rescue') return renderRescue(source, input, base);
  if (kind === 'password') return renderPassword(source, input, base);
  if (kind === 'erase') return renderErase(source, input, base);
  switch (source.kind) {
    case 'preseed':
      return renderPreseed(source, input, base);
    case 'kickstart':
      return renderKickstart(source, input, base);
    case 'autoinstall':
      return renderAutoinstall(source, input, base);
    case 'image':
      return renderImage(source, input, base, imageSha256);
    case 'rescue':
      return renderRescue(source, input, base);
  }
}
