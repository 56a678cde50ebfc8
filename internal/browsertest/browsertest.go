// Package browsertest drives a headless Chromium for tests of pages.
package browsertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long one step may take.
const patience = 30 * time.Second

// Page is a tab that fails its test on errors of its own, and remembers what
// went wrong on the page and what it asked the network for.
type Page struct {
	tb  testing.TB
	ctx context.Context

	mu       sync.Mutex
	problems []string
	requests []string
}

// Open starts Chromium, which ends with the test. Without Chromium the test is
// skipped, or fails where the environment has CI=1 or CI=true.
func Open(tb testing.TB) *Page {
	tb.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		if ci := os.Getenv("CI"); ci == "1" || ci == "true" {
			tb.Fatal("chromium is missing (apt-get install chromium), and CI is set")
		}
		tb.Skip("chromium is missing (apt-get install chromium): the page was not opened")
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(1280, 900),
		chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	tb.Cleanup(stop)
	ctx, end := chromedp.NewContext(allocator)
	tb.Cleanup(end)
	p := &Page{tb: tb, ctx: ctx}
	if err := chromedp.Listen(ctx, p.hear); err != nil {
		tb.Fatalf("start %s: %v", path, err)
	}
	p.run(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, network.Enable, network.EnableParams{})
		return chromedp.Void{}, err
	})
	return p
}

// hear notes what the page does.
func (p *Page) hear(ev any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch ev := ev.(type) {
	case *runtime.EventExceptionThrown:
		p.problems = append(p.problems, "exception: "+ev.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		if t := string(ev.Type); t == "error" || t == "warning" || t == "assert" {
			p.problems = append(p.problems, "console "+t)
		}
	case *log.EventEntryAdded:
		p.problems = append(p.problems, fmt.Sprintf("%s: %s", ev.Entry.Level, ev.Entry.Text))
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, ev.Request.URL)
	}
}

// Problems are the exceptions, console errors and warnings so far.
func (p *Page) Problems() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.problems)
}

// Requests are the addresses that were asked for so far.
func (p *Page) Requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.requests)
}

func (p *Page) run(steps ...chromedp.Action[chromedp.Void]) {
	p.tb.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.tb.Fatalf("drive chromium: %v", err)
	}
}

// Go opens an address and waits until it is loaded.
func (p *Page) Go(url string) {
	p.tb.Helper()
	p.run(chromedp.Navigate(url))
}

// Size sets the window's inner size.
func (p *Page) Size(width, height int64) {
	p.tb.Helper()
	p.run(chromedp.EmulateViewport(width, height))
}

// Dark switches the reader's preference between light and dark.
func (p *Page) Dark(on bool) {
	p.tb.Helper()
	value := "light"
	if on {
		value = "dark"
	}
	p.run(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: value}}})
		return chromedp.Void{}, err
	})
}

// Click clicks the first element that a CSS selector finds, with the mouse.
func (p *Page) Click(selector string) {
	p.tb.Helper()
	p.run(chromedp.Click(chromedp.CSS(selector)))
}

// Keys types keys into what has the focus; see the package kb of chromedp.
func (p *Page) Keys(keys string) {
	p.tb.Helper()
	p.run(chromedp.KeyEvent(keys))
}

// Shot is a picture of the window as PNG.
func (p *Page) Shot() []byte {
	p.tb.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.tb.Fatalf("take a picture: %v", err)
	}
	return png
}

// Eval is the value of a JavaScript expression; it waits for a promise.
func Eval[T any](p *Page, expression string) T {
	p.tb.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.tb.Fatalf("evaluate %s: %v", strings.TrimSpace(expression), err)
	}
	return v
}
