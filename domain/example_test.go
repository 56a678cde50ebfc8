package domain_test

import (
	"errors"
	"fmt"

	"github.com/speckl/speckl/domain"
)

// A domain is a YAML file: types, and phrases that read like the sentences
// they catch.
func ExampleLoad() {
	source := `
id: pets
name: Pets
types:
  - name: pet
    fields: [{name: name, kind: name}, {name: species}]
    key: [name]
    label: "{name}[ the {species}]"
patterns:
  - id: is-called
    phrases: ["[my] {species:word} ~be called {name:name}"]
    gives: "pet { name, species }"
    base: 0.70
`
	d, err := domain.Load("pets.yaml", []byte(source))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Name, len(d.Types), len(d.Rules))
	fmt.Println(d.Rules[0].ID, d.Rules[0].Base, d.Rules[0].Gives[0].Type)

	_, err = domain.Load("pets.yaml", []byte("id: pets\nname: Pets\ntypos: []\n"))
	fmt.Println(errors.Is(err, domain.ErrFile))
	// Output:
	// Pets 1 1
	// is-called 0.7 pet
	// true
}

// Names are compared as people mean them.
func ExampleFoldText() {
	fmt.Println(domain.FoldText("The  “Awaiting-Payment” state"))
	d, ok := domain.ParseDuration("half a minute")
	fmt.Println(d, ok)
	d, ok = domain.ParseDuration("30 seconds")
	fmt.Println(d, ok)
	// Output:
	// the awaiting payment state
	// 30s true
	// 30s true
}
