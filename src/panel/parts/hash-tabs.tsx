// Tabs whose selection is kept in the URL hash, so that it can be bookmarked and shared and works with the back button.
import { Tabs } from '@mantine/core';
import { CatchBoundary, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, type JSX, type ReactNode } from 'react';
import { ErrorAlert } from './query-result.tsx';
import classes from './hash-tabs.module.css';

export interface HashTab {
  /** The URL hash. */
  readonly id: string;
  readonly label: ReactNode;
  readonly content: () => ReactNode;
}

/** Selects the first tab by default. Only the selected tab is mounted. */
export function HashTabs({ label, tabs }: { label: string; tabs: readonly HashTab[] }): JSX.Element {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const selected = tabs.find(({ id }) => id === hash) ?? tabs[0]!;
  const select = (id: string | null): void =>
    void navigate({ to: '.', hash: id === null || id === tabs[0]!.id ? '' : id, resetScroll: false });
  const list = useRef<HTMLDivElement>(null);
  // On a phone, the list may be wider than the screen.
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (list.current != null && tab != null)
      list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2;
  }, [selected.id]);
  return (
    <Tabs value={selected.id} onChange={select} keepMounted={false}>
      <Tabs.List ref={list} aria-label={label} className={classes['list']!}>
        {tabs.map((tab) => (
          <Tabs.Tab key={tab.id} value={tab.id}>
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={selected.id} pt="md">
        <CatchBoundary
          getResetKey={() => selected.id}
          errorComponent={({ error, reset }) => <ErrorAlert error={error as Error} retry={reset} />}
        >
          {selected.content()}
        </CatchBoundary>
      </Tabs.Panel>
    </Tabs>
  );
}
