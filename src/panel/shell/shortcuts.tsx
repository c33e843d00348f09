// The list of keyboard shortcuts, which `?` opens on every page.
import { Group, Kbd, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import type { JSX } from 'react';
import { t } from '../text/text.ts';

const shortcuts: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [['Ctrl', 'K'], t('Search servers, zones, records, invoices and pages')],
  [['/'], t('Search')],
  [['?'], t('Show the keyboard shortcuts')],
  [['N'], t('Add a zone, or a record on the page of a zone')],
  [['↑', '↓'], t('Move through search results')],
  [['Enter'], t('Open the selected result, or save a cell')],
  [['Esc'], t('Close a dialog, or cancel editing a cell')],
];

const openEvent = 'hostyard:shortcuts';

export function showShortcuts(): void {
  window.dispatchEvent(new Event(openEvent));
}

export function Shortcuts(): JSX.Element {
  const [isOpen, { open, close }] = useDisclosure(false);
  useWindowEvent(openEvent as 'focus', open);
  useWindowEvent('keydown', ({ key, target }) => {
    const isTyping = (target as Element | null)?.closest?.('input, textarea, select, [contenteditable]') != null;
    if (key === '?' && !isTyping) open();
  });
  return (
    <Modal opened={isOpen} onClose={close} title={t('Keyboard shortcuts')} centered>
      <Stack gap="sm">
        {shortcuts.map(([keys, meaning]) => (
          <Group key={meaning} justify="space-between" wrap="nowrap">
            <Text size="sm">{meaning}</Text>
            <Group gap={4} wrap="nowrap">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </Modal>
  );
}
