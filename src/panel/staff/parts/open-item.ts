// The list item that is open in a drawer. Its id is in the URL hash, so that the view can be shared.
import { useLocation, useNavigate } from '@tanstack/react-router';

export interface OpenItem {
  readonly openId: string | undefined;
  open(id: string): void;
  close(): void;
}

export function useOpenItem(): OpenItem {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const setHash = (to: string): void => void navigate({ to: '.', hash: to, resetScroll: false });
  return { openId: hash === '' ? undefined : hash, open: setHash, close: () => setHash('') };
}
