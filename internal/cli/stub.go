package cli

import "github.com/spf13/cobra"

func (a *app) why() *cobra.Command     { return &cobra.Command{Use: "why"} }
func (a *app) convert() *cobra.Command { return &cobra.Command{Use: "convert"} }
func (a *app) formats() *cobra.Command { return &cobra.Command{Use: "formats"} }
func (a *app) fmt() *cobra.Command     { return &cobra.Command{Use: "fmt"} }
func (a *app) domain() *cobra.Command  { return &cobra.Command{Use: "domain"} }
func (a *app) help() *cobra.Command    { return &cobra.Command{Use: "help"} }
