/** The attribute of an element that shows a phone number: the number in E.164. */
export const PHONE_ATTRIBUTE = 'data-phone';

const phonesIn = (root: ParentNode) => [...root.querySelectorAll<HTMLElement>(`[${PHONE_ATTRIBUTE}]`)];

function phonesOf(selection: Selection): HTMLElement[] {
  const { anchorNode, focusNode } = selection;
  const anchor = anchorNode instanceof Element ? anchorNode : anchorNode?.parentElement;
  const own = anchor?.closest<HTMLElement>(`[${PHONE_ATTRIBUTE}]`);
  if (own?.contains(focusNode)) return [own];
  return phonesIn(document).filter((element) => selection.containsNode(element, true));
}

/** The text of a selection with each phone number that is whole in it as it is stored, and not as it is shown. */
function copiedText(selection: Selection): string {
  return phonesOf(selection).reduce(
    (text, element) =>
      text.replace(element.textContent, () => element.getAttribute(PHONE_ATTRIBUTE) ?? element.textContent),
    selection.toString(),
  );
}

/** Copies phone numbers in E.164, in which any program takes them. What is copied from a control is what was typed there. */
export function copyPhonesAsStored(): void {
  document.addEventListener('copy', (event) => {
    const selection = document.getSelection();
    const { target, clipboardData } = event;
    const isTyped = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (selection === null || isTyped || clipboardData === null) return;
    const text = copiedText(selection);
    if (text === selection.toString()) return;
    clipboardData.setData('text/plain', text);
    event.preventDefault();
  });
}
