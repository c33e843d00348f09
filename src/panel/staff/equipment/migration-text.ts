// Texts about migrations.
import { t } from '../../text/text.ts';

export type MigrationMode = 'auto' | 'live' | 'cold';

export const modeChoices: { value: MigrationMode; label: string }[] = [
  { value: 'auto', label: t('Move while running if possible, otherwise shut down') },
  { value: 'live', label: t('Move only while running') },
  { value: 'cold', label: t('Shut down, move, start') },
];

interface Move {
  readonly mode: 'live' | 'cold' | '';
  readonly target: string;
  readonly percent: string;
}

/** Says where a machine moves, how, and how far it is. */
export function moveText({ mode, target, percent }: Move): string {
  if (mode === '') return t('Preparing');
  const text = mode === 'live' ? t('Running, to {target}', { target }) : t('Shut down, to {target}', { target });
  return percent === '' ? text : t('{move}, {percent}%', { move: text, percent });
}
