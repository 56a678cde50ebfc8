// Ties elements to their words: hover shows, a click keeps; filters the
// elements; on a narrow screen, moves between the two halves.
(() => {
  'use strict';
  const root = document.documentElement, body = document.body;
  root.classList.add('js');
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const card = n => document.getElementById('e-' + n);

  // Which marks belong to an item.
  const marks = new Map();
  for (const mark of all('mark')) {
    for (const n of mark.dataset.e.split(' ')) {
      if (!marks.has(n)) marks.set(n, []);
      marks.get(n).push(mark);
    }
    mark.setAttribute('aria-label', mark.textContent + ' — show what rests on these words');
  }

  // light gives items and their words a class, and takes it from all others.
  const bright = { hot: [], lit: [] };
  function light(name, ns) {
    for (const el of bright[name]) {
      el.classList.remove(name);
      if (name === 'lit') {
        el.style.removeProperty('--k');
        press(el, false);
      }
    }
    bright[name] = ns.flatMap(n => [card(n), ...(marks.get(n) || [])]).filter(Boolean);
    for (const el of bright[name]) {
      el.classList.add(name);
      if (name === 'lit') press(el, true);
    }
    // Words that several items share take the colour of the one that is lit.
    if (name !== 'lit' || ns.length !== 1 || !card(ns[0])) return;
    const color = getComputedStyle(card(ns[0])).getPropertyValue('--k');
    if (color) for (const el of bright.lit) el.style.setProperty('--k', color);
  }
  function press(el, on) {
    const button = el.matches('.item') && el.querySelector('.label');
    if (button) button.setAttribute('aria-pressed', on);
  }

  const narrow = matchMedia('(max-width: 860px)');
  function tab(name) {
    body.dataset.tab = name;
    for (const b of all('[data-go]')) b.setAttribute('aria-pressed', b.dataset.go === name);
  }
  // show scrolls to something; twice, since what is skipped in rendering has
  // only a guessed height until it is near.
  function show(el) {
    if (!el) return;
    if (narrow.matches) tab(el.closest('#found') ? 'found' : 'transcript');
    for (let d = el.closest('details'); d; d = d.parentElement.closest('details')) d.open = true;
    el.scrollIntoView({ block: 'center' });
    requestAnimationFrame(() => el.scrollIntoView({ block: 'center' }));
  }
  function flash(turn) {
    if (!turn) return;
    show(turn);
    turn.classList.add('flash');
    setTimeout(() => turn.classList.remove('flash'), 1600);
  }
  // words of one quote of an item, else of the item.
  function wordsOf(n, i) {
    const own = marks.get(n) || [];
    return (i !== undefined && own.find(m => m.dataset.q.split(' ').includes(n + '.' + i))) || own[0];
  }
  function pick(n, i) {
    light('lit', [n]);
    show(wordsOf(n, i));
  }

  function act(target) {
    const go = target.closest('[data-go]'), see = target.closest('[data-see]'), link = target.closest('a[href^="#t-"]');
    const mark = target.closest('mark'), quote = target.closest('.quote'), item = target.closest('.item');
    if (go) return tab(go.dataset.go), true;
    if (link) return flash(document.getElementById(link.hash.slice(1))), true;
    if (see) {
      reveal(see.dataset.see);
      light('lit', [see.dataset.see]);
      return show(card(see.dataset.see)), true;
    }
    if (mark) {
      const ns = mark.dataset.e.split(' ');
      ns.forEach(reveal);
      light('lit', ns);
      return show(card(ns[0])), true;
    }
    if (quote) {
      if (quote.dataset.n !== '0' && marks.has(quote.dataset.n)) pick(quote.dataset.n, quote.dataset.i);
      else flash(document.getElementById(quote.parentElement.querySelector('a').hash.slice(1)));
      return true;
    }
    if (item && !target.closest('details')) {
      if (String(getSelection())) return true; // somebody is copying words
      if (!narrow.matches && item.classList.contains('lit') && bright.lit.length === 1 + (marks.get(item.dataset.n) || []).length) light('lit', []);
      else pick(item.dataset.n);
      return true;
    }
    return false;
  }
  document.addEventListener('click', e => { if (act(e.target)) e.preventDefault(); });
  // From words the focus goes on to the element, once the key is up, else the
  // key would press the element's button.
  let next = null;
  document.addEventListener('keydown', e => {
    if (e.key === 'Escape') return light('lit', []);
    if ((e.key !== 'Enter' && e.key !== ' ') || !e.target.matches('mark')) return;
    e.preventDefault();
    act(e.target);
    next = card(e.target.dataset.e.split(' ')[0]);
  });
  document.addEventListener('keyup', () => {
    if (next) next.querySelector('.label').focus({ preventScroll: true });
    next = null;
  });
  function hover(e) {
    const mark = e.target.closest('mark'), item = e.target.closest('.item');
    light('hot', mark ? mark.dataset.e.split(' ') : item ? [item.dataset.n] : []);
  }
  document.addEventListener('mouseover', hover);
  document.addEventListener('focusin', hover);

  // Filters: any of the pressed types, all of the pressed states, the words.
  const form = document.querySelector('.filter');
  const pressed = key => all(`.chip[data-${key}][aria-pressed="true"]`).map(b => b.dataset[key]);
  function filter() {
    const kinds = pressed('kind'), states = pressed('state'), words = form.elements.words.value.trim().toLowerCase();
    let shown = 0, total = 0;
    for (const group of all('.group')) {
      let any = false;
      for (const item of all('.item', group)) {
        const has = item.dataset.states.split(' ');
        const ok = (!kinds.length || kinds.includes(group.dataset.kind)) && states.every(s => has.includes(s)) &&
          (!words || item.textContent.toLowerCase().includes(words));
        item.hidden = !ok;
        any = any || ok;
        total++;
        shown += ok;
      }
      group.hidden = !any;
    }
    document.getElementById('count').textContent = shown === total ? '' : `${shown} of ${total} shown`;
  }
  // reveal clears the filters where they hide an item.
  function reveal(n) {
    const item = card(n);
    if (!item || !item.hidden) return;
    form.reset();
    for (const b of all('.chip')) b.setAttribute('aria-pressed', 'false');
    filter();
  }
  if (form) {
    form.addEventListener('submit', e => e.preventDefault());
    form.addEventListener('input', filter);
    form.addEventListener('click', e => {
      const chip = e.target.closest('.chip');
      if (!chip) return;
      chip.setAttribute('aria-pressed', chip.getAttribute('aria-pressed') !== 'true');
      filter();
    });
  }
})();
