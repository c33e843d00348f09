// The parts of a page as tabs. Which one is open stands in the address, so that it can be kept, sent to somebody and gone back to.
import { Tabs } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';

export interface PlaceTab {
  /** What stands behind the # of the address. */
  readonly id: string;
  readonly label: ReactNode;
  readonly content: () => ReactNode;
}

/** The first is open unless the address says another. Only the open one is there. */
export function PlaceTabs({ label, tabs }: { label: string; tabs: readonly PlaceTab[] }): JSX.Element {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const open = tabs.find(({ id }) => id === hash) ?? tabs[0]!;
  const go = (id: string | null): void =>
    void navigate({ to: '.', hash: id === null || id === tabs[0]!.id ? '' : id, resetScroll: false });
  return (
    <Tabs value={open.id} onChange={go} keepMounted={false}>
      <Tabs.List aria-label={label} style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
        {tabs.map((tab) => (
          <Tabs.Tab key={tab.id} value={tab.id}>
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={open.id} pt="md">
        {open.content()}
      </Tabs.Panel>
    </Tabs>
  );
}
