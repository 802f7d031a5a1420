//! Tests accessibility: screen readers, use without a mouse, low vision and large text.
//!
//! - axe-core finds no violation in any view in either theme.
//! - With 200 % text size and in a narrow window, nothing is clipped and nothing overflows.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::{Value, from_value, json};

use crate::{
    page::WindowPage,
    scenes::{LARGE_TEXT, LIGHT, Look, NARROW, SCENES},
    stage::Stage,
};

/// Script that returns one sentence for each violation of the rules in RULES.
const AXE: &str = "
    const done = arguments[arguments.length - 1];
    axe.run(document, { runOnly: RULES, resultTypes: ['violations'] })
        .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
            nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary.replace(/\\s+/g, ' ')}`)))
        .then(done, (error) => done([String(error)]));
";

/// WCAG 2.0 and 2.1 rules of levels A and AA.
const AA: &str = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']";
/// Contrast rule of level AA.
const CONTRAST: &str = "{ type: 'rule', values: ['color-contrast'] }";
/// Rules of levels A and AA, without the contrast rule.
const STRUCTURE: &str = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'], rules: { 'color-contrast': { enabled: false } }";
/// Enhanced contrast, a rule of level AAA.
const AAA_CONTRAST: &str = "{ type: 'rule', values: ['color-contrast-enhanced'] }";

/// Script that presses BUTTON, waits for the dialog or menu, and returns the number of running animations. Ignores
/// animations of at most 1 ms.
const MOVING: &str = "
    const done = arguments[arguments.length - 1];
    const button = document.querySelector('[data-testid=BUTTON]');
    // Menus react to `pointerdown`, not to `click`.
    for (const kind of ['pointerdown', 'pointerup']) button.dispatchEvent(new PointerEvent(kind, { bubbles: true, button: 0, pointerType: 'mouse' }));
    button.click();
    const look = () => document.querySelector('[role=dialog], [role=menu]') === null ? requestAnimationFrame(look)
        : done(document.getAnimations().filter(({ effect }) => effect.getTiming().duration > 1).length);
    look();
";

/// Script that returns whether the page detects the user's preferences for more contrast and for reduced motion.
const ASKED: &str =
    "return ['(prefers-contrast: more)', '(prefers-reduced-motion: reduce)'].map((asked) => matchMedia(asked).matches)";

/// Script that lists layout faults, one sentence each:
///
/// - a page or list that scrolls sideways
/// - a control that is clipped
/// - text that overflows its box
/// - a row that is too low for its content
/// - a menu or dialog that is larger than the window or has the wrong text direction
const ROOM: &str = "
    const name = (element) => element.dataset?.testid ?? element.getAttribute('aria-label') ?? element.className;
    const all = [...document.querySelectorAll('body *')].filter((element) => element.checkVisibility());
    const sideways = all.filter((element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX)
        && element.tagName !== 'TEXTAREA' && element.scrollWidth > element.clientWidth + 1);
    const cut = all.filter((element) => element.matches('button, input, textarea, a, [tabindex]')).filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        return width > 1 && (left < -1 || right > innerWidth + 1);
    });
    const large = all.filter((element) => element.matches('[role=menu], [role=dialog]')).filter((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top < -1 || bottom > innerHeight + 1;
    });
    const way = (element) => getComputedStyle(element).direction;
    const turned = all.filter((element) =>
        element.matches('[role=menu], [role=dialog]') && way(element) !== way(document.documentElement));
    const full = all.filter((element) => element.matches('[role=row]') && element.scrollHeight > element.clientHeight + 1);
    const out = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode;
        if (text.data.trim() === '' || !text.parentElement.checkVisibility()) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        let { left, right } = range.getBoundingClientRect();
        for (let place = text.parentElement; place !== null; place = place.parentElement) {
            const { overflowX, display, position } = getComputedStyle(place);
            if (['auto', 'scroll'].includes(overflowX)) break;
            const box = place.getBoundingClientRect();
            if (overflowX !== 'visible') [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
            const holds = ['inline', 'contents'].includes(display) || (left > box.left - 2 && right < box.right + 2);
            if (!holds) out.push(`${text.data.trim()} in ${name(place)}`);
            if (!holds || ['absolute', 'fixed'].includes(position)) break;
        }
    }
    return [
        ...(document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : []),
        ...sideways.map((element) => `${name(element)} scrolls sideways: ${element.scrollWidth} in ${element.clientWidth}`),
        ...cut.map((element) => `${name(element)} is cut`),
        ...large.map((element) => `${name(element)} is higher than the window`),
        ...turned.map((element) => `${name(element)} is written the other way`),
        ...full.map((element) => `${name(element)} has more than its row`),
        ...out.map((text) => `${text} sticks out`),
    ];
";

/// Script that returns the actions of all rows, and the labels that are clipped. Most actions have an icon without a label.
const STEPS: &str = "
    const steps = [...document.querySelectorAll('[data-testid=row-action]')];
    const cut = steps.map((step) => step.querySelector('span')).filter((name) => name !== null && name.scrollWidth > name.clientWidth);
    return [steps.map((step) => step.dataset.step), cut.map((name) => name.textContent)].map((names) => [...new Set(names)]);
";

#[tokio::test(flavor = "multi_thread")]
async fn button_labels_in_rows_fit_in_every_language() {
    let stage = Stage::new().await;
    let page = open(&stage).await;
    // Make the window tall enough for all rows.
    page.resize(LIGHT.width, 12_000).await;
    let locales = Path::new(env!("CARGO_MANIFEST_DIR")).join("../locales");
    let mut cut = Vec::new();
    for locale in fs::read_dir(locales).unwrap().map(Result::unwrap) {
        if !locale.file_type().unwrap().is_dir() {
            continue;
        }
        let language = locale.file_name().into_string().unwrap();
        let mut seen = BTreeSet::new();
        for (query, is_paused) in [("", false), ("", true), ("&metered", false), ("&failures", false)] {
            page.pretend(&format!("&language={language}{query}")).await;
            page.css(&format!("html[lang^='{language}']")).await;
            page.find("row-action").await;
            if is_paused {
                page.click("pause-all").await;
                page.css("[data-step='resume-all']").await;
            }
            page.painted().await;
            let [steps, names]: [Vec<String>; 2] = from_value(page.run(STEPS).await).unwrap();
            seen.extend(steps);
            cut.extend(names.into_iter().map(|name| format!("{language}: {name}")));
        }
        let all = [
            "anyway",
            "folder",
            "open",
            "pause",
            "relink",
            "remove",
            "resume",
            "resume-all",
            "retry",
            "show",
            "sign-in",
            "space",
            "start",
        ];
        assert_eq!(Vec::from_iter(seen), all, "{language}");
    }
    assert!(cut.is_empty(), "{cut:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_view_is_accessible_in_every_look() {
    let stage = Stage::new().await;
    let page = open(&stage).await;
    let axe = axe();
    let [aa, contrast, structure] = [AA, CONTRAST, STRUCTURE].map(|rules| AXE.replace("RULES", rules));
    let mut found = Vec::new();
    for scene in SCENES {
        let mut note = |look: Look, said: Value| {
            let said: Vec<String> = from_value(said).unwrap();
            found.extend(said.into_iter().map(|said| format!("{} ({}): {said}", scene.name, look.name)));
        };
        let narrow = Look { name: "narrow, right to left", language: "ar", ..NARROW };
        scene.set(&page, narrow).await;
        note(narrow, page.run(ROOM).await);
        scene.set(&page, LIGHT).await;
        page.run(&axe).await;
        note(LIGHT, page.run(ROOM).await);
        note(LIGHT, page.run_async(&aa).await);
        // In the same view, dark mode changes only the colours, so check only the contrast. Check it at the default
        // text size, because small text needs more contrast than large text.
        let dark = Look { name: "dark", theme: "dark", ..LIGHT };
        dark.put_on(&page).await;
        note(dark, page.run_async(&contrast).await);
        LARGE_TEXT.put_on(&page).await;
        note(LARGE_TEXT, page.run(ROOM).await);
        note(LARGE_TEXT, page.run_async(&structure).await);
    }
    assert!(found.is_empty(), "{} accessibility faults:\n{}", found.len(), found.join("\n"));

    // Insert real faults to verify that both checks detect them.
    page.run(
        "const pale = Object.assign(document.createElement('p'), { textContent: 'pale'.repeat(99) });
         Object.assign(pale.style, { color: '#888', background: '#999', inlineSize: '9rem' });
         document.querySelector('main').prepend(document.createElement('button'), pale)",
    )
    .await;
    let said = page.run_async(&aa).await.to_string();
    assert!(said.contains("button-name") && said.contains("color-contrast"), "{said}");
    let said = page.run(ROOM).await.to_string();
    assert!(said.contains("sticks out"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn contrast_and_reduced_motion_preferences_are_honoured() {
    let stage = Stage::new().await;
    let gtk = stage.data().parent().unwrap().join(".config/gtk-3.0");
    fs::create_dir_all(&gtk).unwrap();
    fs::write(gtk.join("settings.ini"), "[Settings]\ngtk-theme-name=HighContrast\ngtk-enable-animations=0\n").unwrap();
    let page = open(&stage).await;
    assert_eq!(page.run(ASKED).await, json!([true, true]));
    assert_eq!(moving(&page).await, [0; 4]);
    let (axe, aaa) = (axe(), AXE.replace("RULES", AAA_CONTRAST));
    let mut found = Vec::new();
    for scene in SCENES {
        scene.set(&page, LIGHT).await;
        page.run(&axe).await;
        for look in [LIGHT, Look { name: "dark", theme: "dark", ..LIGHT }] {
            look.put_on(&page).await;
            let said: Vec<String> = from_value(page.run_async(&aaa).await).unwrap();
            found.extend(said.into_iter().map(|said| format!("{} ({}): {said}", scene.name, look.name)));
        }
    }
    assert!(found.is_empty(), "{} things are too pale:\n{}", found.len(), found.join("\n"));
    // Release the first test desktop before creating another one, because the number of test desktops is limited.
    drop((page, stage));

    // Without these preferences, dialogs and menus are animated.
    let other = Stage::new().await;
    let page = open(&other).await;
    assert_eq!(page.run(ASKED).await, json!([false, false]));
    let moving = moving(&page).await;
    assert!(moving.iter().all(|count| *count > 0), "{moving:?}");
}

/// Opens four dialogs and menus. Returns the number of running animations in each of them.
async fn moving(page: &WindowPage) -> [u64; 4] {
    let mut counts = [0; 4];
    for (count, button) in counts.iter_mut().zip(["add-button", "keys", "sort", "limit"]) {
        page.pretend("").await;
        page.find(button).await;
        *count = page.run_async(&MOVING.replace("BUTTON", button)).await.as_u64().unwrap();
    }
    counts
}

async fn open(stage: &Stage) -> WindowPage {
    let page = WindowPage::open(stage).await;
    // The window must be shown once, because hidden windows are never painted.
    stage.windows_are(1).await;
    page
}

fn axe() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/node_modules/axe-core/axe.min.js");
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}: `make test` installs it", path.display()))
}
