// A state as a coloured badge. The text alone says it all; the colour only helps to scan. It is a plain element, because
// most tables have one in every row.
import type { JSX } from 'react';
import classes from './state-badge.module.css';
import { tData } from '../text/text.ts';

/** Matched with the start of the lower-case state. All other states are gray. */
const colours = [
  [
    'teal',
    /^(on|online|active|paid|up|enabled|completed|done|delivered|sent|success|approved|assigned|available|ok)( |$)/,
  ],
  ['blue', /^(running|booting|installing|being erased)( |$)/],
  ['yellow', /^(unpaid|pending|queued|removing|not checked yet)( |$)/],
  ['orange', /^(locked|maintenance|announced|suspended|unknown|null-routed|warning)( |$)/],
  ['red', /^(stuck|overdue|failed|bounced|rejected|ongoing|not responding|quarantined|critical)( |$)/],
] as const;

export interface StateBadgeProps {
  readonly state: string;
  /** What is in this state, if other languages have a word of their own for it. */
  readonly of?: 'invoice' | 'licence' | 'maintenance';
  /** The state itself by default. */
  readonly label?: string;
}

export function StateBadge({ state, of, label }: StateBadgeProps): JSX.Element {
  const [colour] = colours.find(([, states]) => states.test(state.toLowerCase())) ?? ['gray'];
  return (
    <span className={classes['badge']} data-colour={colour}>
      {label ?? tData(of === undefined ? state : `${state}@@${of}`)}
    </span>
  );
}
