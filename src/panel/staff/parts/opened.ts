// Which thing of a list is open beside it. It stands behind the # of the address, so that it can be sent to a colleague.
import { useLocation, useNavigate } from '@tanstack/react-router';

export interface Opened {
  /** Undefined where none is. */
  readonly opened: string | undefined;
  open(id: string): void;
  close(): void;
}

export function useOpened(): Opened {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const go = (to: string): void => void navigate({ to: '.', hash: to, resetScroll: false });
  return { opened: hash === '' ? undefined : hash, open: go, close: () => go('') };
}
