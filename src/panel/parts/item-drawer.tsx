// The drawer of a list's open item. Escape closes only what is in front: a dialog of the drawer before the drawer.
import { Drawer, type DrawerProps } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { Fragment, type JSX, type ReactNode } from 'react';
import type { OpenItem } from './open-item.ts';

export interface ItemDrawerProps extends Pick<DrawerProps, 'title' | 'size'> {
  readonly item: Pick<OpenItem, 'openId' | 'close'>;
  readonly children: (id: string) => ReactNode;
}

export function ItemDrawer({ item: { openId, close }, size = 'lg', title, children }: ItemDrawerProps): JSX.Element {
  useWindowEvent(
    'keydown',
    ({ key, target }) => {
      // An open list of options keeps the key for itself.
      const isForOptions = (target as Element | null)?.getAttribute('data-mantine-stop-propagation') === 'true';
      const isCovered = document.querySelectorAll('[role="dialog"]').length > 1;
      if (key === 'Escape' && openId !== undefined && !isForOptions && !isCovered) close();
    },
    { capture: true },
  );
  return (
    <Drawer
      opened={openId !== undefined}
      onClose={close}
      closeOnEscape={false}
      position="right"
      size={size}
      title={title}
    >
      {openId !== undefined && <Fragment key={openId}>{children(openId)}</Fragment>}
    </Drawer>
  );
}
