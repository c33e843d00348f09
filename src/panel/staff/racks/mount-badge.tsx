// The state of a device in a rack.
import type { JSX } from 'react';
import { StateBadge } from '../../parts/state-badge.tsx';
import { mountStateNames, type Mount } from './rack-units.ts';

/** States with the colours that ours should have. */
const likeStates = { on: 'on', answers: 'online', off: 'off', silent: 'failed', unseen: 'pending' } as const;

export function MountBadge({ state }: Pick<Mount, 'state'>): JSX.Element {
  return <StateBadge state={likeStates[state]} label={mountStateNames[state]} />;
}
