// A drawing of a rack. Each device is a button that shows its state by colour and text.
import { Card, Group, Title, VisuallyHidden } from '@mantine/core';
import type { CSSProperties, JSX } from 'react';
import {
  layOutMounts,
  mountKindNames,
  mountStateNames,
  unitsUsed,
  unitText,
  type Mount,
  type Rack,
} from './rack-units.ts';
import styles from './rack.module.css';
import { Dimmed } from '../../parts/dimmed.tsx';
import { t } from '../../text/text.ts';
import { RackClimate } from './rack-climate.tsx';

/** What each restricted device is called. */
export type Restrictions = Readonly<Record<string, string>>;

const colours: Readonly<Record<Mount['state'], string>> = {
  on: 'var(--mantine-color-teal-6)',
  answers: 'var(--mantine-color-teal-6)',
  off: 'var(--mantine-color-gray-6)',
  silent: 'var(--mantine-color-red-6)',
  unseen: 'var(--mantine-color-yellow-6)',
};

/** Not responding outranks restricted. */
function colourOf({ name, state }: Mount, restrictions: Restrictions): string {
  return name in restrictions && state !== 'silent' ? 'var(--mantine-color-orange-6)' : colours[state];
}

export interface RackDrawingProps {
  readonly rack: Rack;
  readonly restrictions: Restrictions;
  readonly openId: string | undefined;
  readonly open: (name: string) => void;
}

export function RackDrawing({ rack, restrictions, openId, open }: RackDrawingProps): JSX.Element {
  const height = Number(rack.height);
  return (
    <Card component="section" aria-label={t('Rack {name}', { name: rack.name })} padding="sm">
      <Group justify="space-between" mb="xs" wrap="nowrap" align="flex-start">
        <div>
          <Title order={2} size="h5" ff="monospace">
            {rack.name}
          </Title>
          <Dimmed size="xs">{rack.place}</Dimmed>
        </div>
        <Dimmed size="xs" className="numbers">
          {t('{used} of {height} U', { used: unitsUsed(rack), height: rack.height })}
        </Dimmed>
      </Group>
      <RackClimate rack={rack} />
      <div className={styles['rack']}>
        {Array.from({ length: height }, (_, index) => (
          <span key={`unit ${index}`} className={styles['unit']} style={{ gridRow: index + 1 }} aria-hidden="true">
            {height - index}
          </span>
        ))}
        {Array.from({ length: height }, (_, index) => (
          <span key={`slot ${index}`} className={styles['slot']} style={{ gridRow: index + 1 }} aria-hidden="true" />
        ))}
        {layOutMounts(rack).map(({ mount, row, rows }) => {
          const state = restrictions[mount.name] ?? mountStateNames[mount.state];
          return (
            <button
              key={`${mount.kind} ${mount.name}`}
              type="button"
              className={styles['mount']}
              style={{ gridRow: `${row} / span ${rows}`, '--state': colourOf(mount, restrictions) } as CSSProperties}
              aria-pressed={openId === mount.name}
              onClick={() => open(mount.name)}
            >
              <span className={styles['name']}>{mount.name}</span> <span className={styles['state']}>{state}</span>
              <VisuallyHidden>
                , {mountKindNames[mount.kind]}, {unitText(mount)}
              </VisuallyHidden>
            </button>
          );
        })}
      </div>
    </Card>
  );
}
