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

/** The label is the state itself by default. */
export function StateBadge({ state, label = tData(state) }: { state: string; label?: string }): JSX.Element {
  const [colour] = colours.find(([, states]) => states.test(state.toLowerCase())) ?? ['gray'];
  return (
    <span className={classes['badge']} data-colour={colour}>
      {label}
    </span>
  );
}
