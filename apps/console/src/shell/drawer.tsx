import { useLingui } from '@lingui/react/macro';
import { X } from '../icons.tsx';
import { IconButton } from '../ui/button.tsx';
import { Modal } from '../ui/dialogs/modal.tsx';
import { Navigation } from './sidebar.tsx';

export function Drawer({ follows, onClose }: { follows: boolean; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Modal
      label={t`Navigation`}
      className="m-0 me-auto h-dvh max-h-dvh w-72 max-w-[85vw] bg-page! shadow-lg"
      onClose={onClose}
    >
      <Navigation
        follows={follows}
        onNavigate={onClose}
        end={
          <IconButton label={t`Close`} onClick={onClose}>
            <X aria-hidden />
          </IconButton>
        }
      />
    </Modal>
  );
}
